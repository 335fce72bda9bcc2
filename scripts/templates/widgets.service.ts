import { Injectable } from '@nestjs/common';
import { changedProperties } from '../../kernel/changes.js';
import { Clock } from '../../kernel/time.js';
import { Problem } from '../../kernel/problems.js';
import { searchKeyOf } from '../../kernel/text.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Events } from '../../store/events/events.js';
import type { PageOf } from '../../store/tenant/page.js';
import { type Widget, WIDGET_FIELDS } from './widget.entity.js';
import { SampleWidgetDto, type CreateSampleWidgetDto, type ListSampleWidgetsQuery, type UpdateSampleWidgetDto } from './widgets.dto.js';
import { SampleWidgetCreated, SampleWidgetUpdated } from './widgets.events.js';
import { WidgetsRepository } from './widgets.repository.js';

@Injectable()
export class WidgetsService {
  constructor(
    private readonly widgets: WidgetsRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListSampleWidgetsQuery): Promise<PageOf<Widget>> {
    return this.widgets.page(ctx, query, { status: query.status, search: query.search });
  }

  async get(ctx: ReadContext, id: string): Promise<Widget> {
    return (await this.widgets.get(ctx, id)) ?? missing();
  }

  async create(ctx: WriteContext, input: CreateSampleWidgetDto): Promise<Widget> {
    const row = WIDGET_FIELDS.make(ctx, input, this.clock.timestamp());
    await this.widgets.insert(ctx, { ...row, searchKey: searchKeyOf(row.name) });
    this.events.append(ctx, SampleWidgetCreated, { before: null, after: SampleWidgetDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateSampleWidgetDto): Promise<Widget> {
    const before = (await this.widgets.lock(ctx, id)) ?? missing();
    const after = WIDGET_FIELDS.change(before, input);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    await this.widgets.update(ctx, { ...after, searchKey: searchKeyOf(after.name) }, [...changed, 'updatedAt', 'searchKey']);
    this.events.append(ctx, SampleWidgetUpdated, { before: SampleWidgetDto.from(before), after: SampleWidgetDto.from(after) });
    return after;
  }
}

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no sample widget with this id.' });
}
