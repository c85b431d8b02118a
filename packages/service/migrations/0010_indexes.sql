-- every recompute asks for the policies of its platforms, of which only active ones are capped
create index policy_to_evaluate on policy (platform_id, livemode) where is_active;
-- the attempts of one envelope: a replay takes the next number
create index delivery_by_envelope on delivery (webhook_id, envelope_id);
