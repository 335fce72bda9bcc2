import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of the last week, for people who look for what went wrong. */
export class CreateApiRequests1763700042000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_requests (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        answered_at timestamptz(3) NOT NULL,
        operation text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status integer NOT NULL,
        problem text,
        duration_ms integer NOT NULL,
        request_id text NOT NULL,
        credential_id text NOT NULL,
        credential_name text NOT NULL,
        ip_address text NOT NULL,
        CONSTRAINT api_requests_pkey PRIMARY KEY (id, organization_id)
      ) PARTITION BY RANGE (id);
      CREATE TABLE api_requests_default PARTITION OF api_requests DEFAULT;
      CREATE INDEX api_requests_newest ON api_requests (organization_id, environment, id);
      CREATE INDEX api_requests_failed ON api_requests (organization_id, environment, id) WHERE status >= 400;
      CREATE INDEX api_requests_by_request ON api_requests (organization_id, environment, request_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_requests');
  }
}
