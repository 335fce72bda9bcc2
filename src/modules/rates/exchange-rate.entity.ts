import { Entity, PrimaryColumn } from 'typeorm';
import { MoneyColumn } from '../../store/database/columns.js';

/** A rate as its source has published it. A public fact: it belongs to no organization. */
@Entity('exchange_rates')
export class ExchangeRate {
  /** `ecb` */
  @PrimaryColumn({ type: 'text' }) source: string;
  @PrimaryColumn({ type: 'text' }) currency: string;
  @PrimaryColumn({ name: 'quoted_on', type: 'date' }) quotedOn: string;
  /** For `ecb`: what one euro was worth. */
  @MoneyColumn() rate: string;
}
