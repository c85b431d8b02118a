-- Net change of each band by day: {"Good": 2, "Fair": -1, …}.
alter table analytics_score_day add column band_net json not null;
