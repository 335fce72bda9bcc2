#!/bin/sh
# Writes docker/.env with passwords and a key of your own, which docker/compose.yaml needs. Run it once; it never overwrites the file. Keep a
# copy of ENCRYPTION_KEY: without it, stored secrets are lost.
set -eu
file=$(dirname "$0")/.env
if [ -e "$file" ]; then
  echo "$file is there already, and stays as it is."
  exit 0
fi
# Letters and digits only: the passwords are parts of URLs.
secret() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
umask 077
cat >"$file" <<END
POSTGRES_PASSWORD=$(secret)
MIGRATOR_PASSWORD=$(secret)
SERVICE_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
ENCRYPTION_KEY=$(head -c 32 /dev/urandom | base64)
END
echo "$file is written. Next: docker compose -f docker/compose.yaml up --build"
