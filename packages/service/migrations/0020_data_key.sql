-- DATA_KEY can be replaced. A text sealed under the key before, while something may still be sealed
-- under it; null: everything is under the key of data_key_check.
alter table installation add column previous_data_key_check bytea;
