import { Entity, Index } from 'typeorm';
import { TenantRow, TextColumn } from '../../store/database/columns.js';

export const WIDGET_STATUSES = ['active', 'archived'] as const;
export type WidgetStatus = (typeof WIDGET_STATUSES)[number];

@Entity('sample_widgets')
@Index('sample_widgets_newest', ['organizationId', 'environment', 'id'])
@Index('sample_widgets_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('sample_widgets_search', { synchronize: false })
export class Widget extends TenantRow {
  @TextColumn() name: string;
  @TextColumn() status: WidgetStatus;
  /** The folded name, for the search. */
  @TextColumn({ select: false }) searchKey?: string;
}
