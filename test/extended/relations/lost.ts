import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Entity, Index } from 'typeorm';
import { Database, declareExtension, RefersTo, TenantRepository, TenantRow, UuidColumn } from '../../../src/extension-api.js';

/** It names records of a table that is misspelt. */
@Entity('lost_trips')
@Index('lost_trips_newest', ['organizationId', 'environment', 'id'])
class LostTrip extends TenantRow {
  @UuidColumn() @RefersTo('vendorz') vendorId: string;
}

@Injectable()
class LostTripsRepository extends TenantRepository<LostTrip> {
  constructor(database: Database) {
    super(database, LostTrip);
  }
}

@Module({ imports: [TypeOrmModule.forFeature([LostTrip])], providers: [LostTripsRepository] })
class LostTripsModule {}

export const lost = declareExtension({ name: 'lost', madeFor: '1.0.0', modules: [LostTripsModule] });
