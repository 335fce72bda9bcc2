import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex, declareExtension } from '../../../src/extension-api.js';
import './main-vendors.js';
import { Trip, TripNote, TripNotesRepository, TripsConsole, TripsController, TripsRepository, TripsService } from './trips.js';
import { Vendor, VendorsConsole, VendorsController, VendorsRepository, VendorsService } from './vendors.js';

const ROW = `id uuid NOT NULL, organization_id uuid NOT NULL, environment text NOT NULL,
  created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, PRIMARY KEY (id, organization_id)`;

class CreateTrips1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE vendors (name text NOT NULL, status text NOT NULL, ${ROW});
      CREATE INDEX vendors_newest ON vendors (organization_id, environment, id);
      CREATE TABLE trips (name text NOT NULL, vendor_id uuid NOT NULL, project_id uuid, ${ROW});
      CREATE INDEX trips_newest ON trips (organization_id, environment, id);
      CREATE INDEX trips_by_vendor ON trips (organization_id, environment, vendor_id, id);
      CREATE INDEX trips_by_project ON trips (organization_id, environment, project_id, id);
      CREATE TABLE trip_notes (trip_id uuid NOT NULL, vendor_id uuid, ${ROW});
      CREATE INDEX trip_notes_newest ON trip_notes (organization_id, environment, id);
      CREATE INDEX trip_notes_by_trip ON trip_notes (organization_id, environment, trip_id, id);
    `);
    await runner.query(customFieldIndex('claim_projects', 'mainVendorId'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE vendors, trips, trip_notes; DROP INDEX claim_projects_custom_main_vendor_id');
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Vendor, Trip, TripNote])],
  controllers: [VendorsController, TripsController, VendorsConsole, TripsConsole],
  providers: [VendorsService, VendorsRepository, TripsService, TripsRepository, TripNotesRepository],
})
class TripsModule {}

export const tripsExtension = declareExtension({
  name: 'trips',
  madeFor: '1.0.0',
  modules: [TripsModule],
  migrations: [CreateTrips1800000000000],
});
