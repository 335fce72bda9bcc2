import { Body, Controller, Injectable, Param, Query } from '@nestjs/common';
import { Entity, Index } from 'typeorm';
import {
  AnswerOf,
  Capability,
  changedProperties,
  Changes,
  Clock,
  ConsoleDoor,
  ConsoleSection,
  Ctx,
  Database,
  declareEvent,
  Events,
  Operation,
  PageQuery,
  pageOf,
  Problem,
  type ReadContext,
  RecordFields,
  RecordOf,
  RecordPages,
  RefersTo,
  RowOf,
  TenantRepository,
  TenantRow,
  Text,
  toPage,
  Uuid,
  UuidColumn,
  type WriteContext,
} from '../../../src/extension-api.js';

class CreateTripDto {
  @Text({ about: 'Name of the trip.', min: 1, max: 200, example: 'Hamburg', people: { inList: true } }) name: string;
  @RecordOf('vendors', { about: 'Who sold it.', people: { label: 'Sold by', inList: true } }) vendorId: string;
  @RecordOf('claim_projects', { about: 'What it was for.', optional: true, nullable: true, default: null, people: { label: 'Project' } })
  projectId?: string | null;
}
class UpdateTripDto extends Changes(CreateTripDto) {}
class ListTripsQuery extends PageQuery {
  @Text({ about: 'Part of the name.', max: 200, optional: true, example: 'ham' }) search?: string;
  @Uuid({ about: 'Only trips that this vendor sold.', optional: true }) vendor_id?: string;
  @Uuid({ about: 'Only trips for this project.', optional: true }) project_id?: string;
}
export class TripDto extends AnswerOf(CreateTripDto) {}

@Entity('trips')
@Index('trips_newest', ['organizationId', 'environment', 'id'])
@Index('trips_by_vendor', ['organizationId', 'environment', 'vendorId', 'id'])
@Index('trips_by_project', ['organizationId', 'environment', 'projectId', 'id'])
export class Trip extends RowOf(CreateTripDto) {}
const TRIP_FIELDS = new RecordFields({
  entity: Trip,
  create: CreateTripDto,
  update: UpdateTripDto,
  answer: TripDto,
  list: ListTripsQuery,
});

const OF_TRIPS = { status: 'emitted', data: TripDto, collection: '/v1/trips' } as const;
const TripCreated = declareEvent({ ...OF_TRIPS, kind: 'trip.created', summary: 'A trip was created.' });
const TripUpdated = declareEvent({ ...OF_TRIPS, kind: 'trip.updated', summary: 'A trip was updated.' });

@Injectable()
export class TripsRepository extends TenantRepository<Trip> {
  constructor(database: Database) {
    super(database, Trip);
  }
}

/** An entity that is written by hand, whose vendor may be deleted. */
@Entity('trip_notes')
@Index('trip_notes_newest', ['organizationId', 'environment', 'id'])
export class TripNote extends TenantRow {
  @UuidColumn() @RefersTo('trips') tripId: string;
  @UuidColumn({ nullable: true }) @RefersTo('vendors', { onDelete: 'allow' }) vendorId: string | null;
}

@Injectable()
export class TripNotesRepository extends TenantRepository<TripNote> {
  constructor(database: Database) {
    super(database, TripNote);
  }
}

@Injectable()
export class TripsService {
  constructor(
    private readonly trips: TripsRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListTripsQuery) {
    return this.trips.page(ctx, query, { vendorId: query.vendor_id, projectId: query.project_id });
  }

  async get(ctx: ReadContext, id: string): Promise<Trip> {
    return (await this.trips.get(ctx, id)) ?? missing();
  }

  async create(ctx: WriteContext, input: CreateTripDto): Promise<Trip> {
    const row = TRIP_FIELDS.make(ctx, input, this.clock.timestamp());
    await this.trips.insert(ctx, row);
    this.events.append(ctx, TripCreated, { before: null, after: TripDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateTripDto): Promise<Trip> {
    const before = (await this.trips.lock(ctx, id)) ?? missing();
    const after = TRIP_FIELDS.change(before, input);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    await this.trips.update(ctx, after, [...changed, 'updatedAt']);
    this.events.append(ctx, TripUpdated, { before: TripDto.from(before), after: TripDto.from(after) });
    return after;
  }
}

const missing = (): never => {
  throw new Problem('not_found', { detail: 'There is no trip with this id.' });
};

@Capability({ about: 'A trip is sold by a vendor.' })
@Controller('v1/trips')
export class TripsController {
  constructor(private readonly trips: TripsService) {}

  @Operation({ id: 'trips.list', route: 'GET /', scope: 'trips:read', summary: 'List', description: 'All.', returns: pageOf(TripDto) })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListTripsQuery) {
    return toPage(query, await this.trips.list(ctx, query), TripDto.from);
  }

  @Operation({
    id: 'trips.create',
    route: 'POST /',
    scope: 'trips:write',
    isBatched: true,
    tool: { name: 'create_trip', risk: 'write', says: 'Needs a vendor.' },
    summary: 'Create',
    description: 'One.',
    returns: TripDto,
    emits: [TripCreated],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateTripDto): Promise<object> {
    return TripDto.from(await this.trips.create(ctx, input));
  }

  @Operation({ id: 'trips.get', route: 'GET /:trip_id', scope: 'trips:read', summary: 'Get', description: 'One.', returns: TripDto })
  async get(@Ctx() ctx: ReadContext, @Param('trip_id') id: string): Promise<object> {
    return TripDto.from(await this.trips.get(ctx, id));
  }

  @Operation({
    id: 'trips.update',
    route: 'PATCH /:trip_id',
    scope: 'trips:write',
    summary: 'Update',
    description: 'One.',
    returns: TripDto,
    emits: [TripUpdated],
  })
  async update(@Ctx() ctx: WriteContext, @Param('trip_id') id: string, @Body() input: UpdateTripDto): Promise<object> {
    return TripDto.from(await this.trips.update(ctx, id, input));
  }
}

@ConsoleSection({ path: 'trips', label: 'Trips', group: 'Claims', order: 61, operation: 'trips.list' })
export class TripsConsole extends RecordPages({
  path: 'trips',
  operations: 'trips',
  id: 'trip_id',
  fields: TRIP_FIELDS,
  one: 'trip',
  all: 'Trips',
  about: 'They are sold by vendors.',
  search: 'Name',
}) {
  constructor(trips: TripsService, door: ConsoleDoor) {
    super(trips, door);
  }
}
