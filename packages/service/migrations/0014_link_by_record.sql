-- The course of a score by day of recording asks who was in a record, also before the present members.
create index subject_link_by_record on subject_link (record_id);
