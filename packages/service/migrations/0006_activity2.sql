-- Reading the audit trail, and what retention deletes.

-- the trail of one platform and mode, all of it or one action alone, newest first
create index activity_by_mode on activity (platform_id, livemode, activity_id);
create index activity_by_action on activity (platform_id, livemode, action, activity_id);
-- retention walks from the oldest on
create index activity_by_age on activity (at);

-- Decay snapshots are thinned to one a month (DECISIONS 9). Retention looks at each of them once: it deletes it, or notes
-- here that it stays. So the numbers of a subject's snapshots may have gaps.
alter table score_snapshot add column is_kept boolean not null default false;
create index score_snapshot_to_thin on score_snapshot (computed_at) where reason = 'decay' and not is_kept;
