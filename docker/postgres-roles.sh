#!/bin/sh
# The image of Postgres runs this once, on an empty volume. The role of the migrations owns the tables; that of the service only reads and
# writes rows, so the service runs without a superuser. The statements are those of docs/operating.md.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set migrator="$MIGRATOR_PASSWORD" --set service="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE claims_migrator LOGIN PASSWORD :'migrator';
CREATE ROLE claims_service LOGIN PASSWORD :'service';
GRANT USAGE, CREATE ON SCHEMA public TO claims_migrator;
GRANT USAGE ON SCHEMA public TO claims_service;
ALTER DEFAULT PRIVILEGES FOR ROLE claims_migrator IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO claims_service;
ALTER DEFAULT PRIVILEGES FOR ROLE claims_migrator IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO claims_service;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
SQL
