-- Run once by an administrator of the server, in the database of the service. Afterwards the owner of the tables, too, can neither drop the
-- audit log, detach or rename a month of it, nor switch off or replace what keeps it. An upgrade that means to do so is made by the
-- administrator. To take the guard away: DROP EVENT TRIGGER claims_audit_log_is_dropped, then the other, then the schema.
CREATE SCHEMA claims_guard;

CREATE FUNCTION claims_guard.refuse(what text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) THEN RETURN; END IF;
  RAISE insufficient_privilege USING MESSAGE = format('%s: the audit log is kept', what),
    HINT = 'An administrator of the server has set a guard on it: docs/operating.md.';
END $$;

CREATE FUNCTION claims_guard.on_drop() RETURNS event_trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone record;
BEGIN
  FOR gone IN SELECT object_identity FROM pg_event_trigger_dropped_objects()
    WHERE object_identity ~ '(^|[ .])(audit_(events|tiles|checkpoints|chains|keys)(_\d{8})?|keep_audit_log\(\))( |\.|$)'
      OR object_identity ~ '^audit_log_is_kept'
  LOOP
    PERFORM claims_guard.refuse(format('%s is not dropped', gone.object_identity));
  END LOOP;
END $$;

-- Looks at what is there afterwards, so that it needs to know no way in which it could have been changed.
CREATE FUNCTION claims_guard.on_change() RETURNS event_trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found record;
BEGIN
  FOR found IN SELECT object_identity FROM pg_event_trigger_ddl_commands()
    WHERE object_type = 'function' AND object_identity ~ '(^|\.)(keep_audit_log\(\)|erase_audit_\w+\(.*)$'
  LOOP
    PERFORM claims_guard.refuse(format('%s is not replaced', found.object_identity));
  END LOOP;
  FOR found IN SELECT tgrelid::regclass AS name FROM pg_trigger WHERE tgname LIKE 'audit_log_is_kept%' AND tgenabled NOT IN ('O', 'A') LOOP
    PERFORM claims_guard.refuse(format('The triggers of %s are not switched off', found.name));
  END LOOP;
  FOR found IN
    SELECT child.relname AS name FROM pg_class child LEFT JOIN pg_inherits ON inhrelid = child.oid
      LEFT JOIN pg_class parent ON parent.oid = inhparent
      WHERE child.relkind IN ('r', 'p') AND (child.relname ~ '^audit_events_\d{8}$') IS DISTINCT FROM (parent.relname = 'audit_events')
        AND (parent.relname = 'audit_events' OR child.relname ~ '^audit_events_\d{8}$')
  LOOP
    PERFORM claims_guard.refuse(format('%s is a month of the audit log, and stays one', found.name));
  END LOOP;
  IF EXISTS (SELECT FROM unnest('{audit_events,audit_tiles,audit_checkpoints,audit_chains,audit_keys}'::text[]) AS name
      WHERE NOT EXISTS (SELECT FROM pg_class JOIN pg_trigger ON tgrelid = pg_class.oid
        WHERE relname = name AND tgname = 'audit_log_is_kept')) THEN
    PERFORM claims_guard.refuse('A table of the audit log keeps its name, its place and its triggers');
  END IF;
END $$;

CREATE EVENT TRIGGER claims_audit_log_is_dropped ON sql_drop EXECUTE FUNCTION claims_guard.on_drop();
CREATE EVENT TRIGGER claims_audit_log_is_changed ON ddl_command_end
  WHEN TAG IN ('ALTER TABLE', 'ALTER TRIGGER', 'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE RULE')
  EXECUTE FUNCTION claims_guard.on_change();
