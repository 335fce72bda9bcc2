#!/bin/sh
# Restores the newest dump into a scratch database, and verifies what is in it. Each step is loud and ends with 1 if anything is wrong:
#
#   restore-drill.sh restore   creates the scratch database anew, with the newest *.dump of the folder DUMPS (`pg_dump --format custom`)
#   restore-drill.sh verify    in the folder of the program: migrations, claims doctor, and the audit log of every organization
#   restore-drill.sh remove    drops the scratch database: what is in it is as secret as what it is a copy of
#
# SCRATCH_DATABASE_URL names the scratch database, with a role that may create databases. The name must end with _drill, so that a wrong
# address cannot drop the database of the service. A dump that is older than MAX_AGE_HOURS is a failure: backups have stopped.
set -eu

fail() {
  echo "restore drill: $*" >&2
  exit 1
}

[ -n "${SCRATCH_DATABASE_URL:-}" ] || fail "SCRATCH_DATABASE_URL is not set"
address=${SCRATCH_DATABASE_URL%%\?*}
options=${SCRATCH_DATABASE_URL#"$address"}
name=${address##*/}
case $name in
  *[!a-z0-9_]* | _drill) fail "the name of the scratch database may have a-z, 0-9 and _, and ends with _drill" ;;
  *_drill) ;;
  *) fail "the name of the scratch database must end with _drill, so that no other is dropped" ;;
esac
server=${address%/*}/postgres$options

drop() {
  psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --dbname "$server" --command "DROP DATABASE IF EXISTS $name WITH (FORCE)"
}

case ${1:-} in
  restore)
    # Names of dumps are the operator's own; the newest is the one that was written last.
    newest=$(ls -t "$DUMPS"/*.dump 2>/dev/null | head -n 1)
    [ -n "$newest" ] || fail "there is no dump in $DUMPS"
    recent=$(find "$newest" -mmin "-$((${MAX_AGE_HOURS:-26} * 60))")
    [ -n "$recent" ] || fail "$newest is older than ${MAX_AGE_HOURS:-26} hours"
    echo "restore drill: $newest"
    drop
    psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --dbname "$server" --command "CREATE DATABASE $name ENCODING 'UTF8' TEMPLATE template0"
    # Roles of the server that the dump is from need not exist here.
    pg_restore --no-owner --no-privileges --no-comments --exit-on-error --dbname "$SCRATCH_DATABASE_URL" "$newest"
    echo "restore drill: restored"
    ;;
  verify)
    export DATABASE_URL="$SCRATCH_DATABASE_URL"
    unset DATABASE_DIRECT_URL DATABASE_READ_URL SCRATCH_DATABASE_URL
    # A backup of the version before is brought to this one, as after a real restore.
    node bin/claims.js migrate
    node bin/claims.js doctor
    node "$(dirname "$0")/verify-audit-logs.mjs" --some
    echo "restore drill: verified"
    ;;
  remove)
    drop
    echo "restore drill: removed"
    ;;
  *) fail "what is to be done: restore, verify or remove?" ;;
esac
