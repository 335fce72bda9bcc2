import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Its failure ends a transaction whose COMMIT is on its way already. A query that found a row could not. */
export class RequireOrganizationStays1763701130000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION require_organization_stays(organization uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
      DECLARE found_status text;
      BEGIN
        SELECT status INTO found_status FROM organizations WHERE id = organization AND status IN ('moving', 'moved');
        IF FOUND THEN RAISE EXCEPTION USING ERRCODE = 'CL001', MESSAGE = found_status; END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION require_organization_stays(uuid)');
  }
}
