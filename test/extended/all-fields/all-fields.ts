import { Module } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { computedFields, customFieldIndex, customFields, DateTime, declareExtension, Flag, Text } from '../../../src/extension-api.js';
import './project-weeks.js';

class OwnFields {
  @Text({ about: 'Where it is filed.', min: 1, max: 20, example: 'F-12' }) reference: string;
  @DateTime({ about: 'When it was checked.', example: '2026-03-01T09:30:00Z' }) checkedAt: string;
}

export const LISTED = ['claim_items', 'receipts', 'bank_statements', 'claim_reports', 'upload_links', 'statement_layouts'];
const SEARCHED = ['claim_items', 'bank_statements'];

const own = LISTED.map((table) =>
  customFields(table, OwnFields, {
    filters: ['reference'],
    ranges: ['checkedAt'],
    ...(SEARCHED.includes(table) && { search: ['reference'] as const }),
  }),
);
const [fieldsOf] = [customFields('webhook_endpoints', OwnFields), ...own];

class Computed {
  @Text({ about: 'What it is called, with where it is filed.', max: 300 }) label: string;
}

const labelOf = (name: string, record: object): string => `${name} (${fieldsOf.of(record).reference ?? '-'})`;

computedFields('claim_items', Computed, { label: (item) => labelOf(`${item.amount} ${item.currency}`, item) });
computedFields('receipts', Computed, { label: (receipt) => labelOf(receipt.fileName, receipt) });
computedFields('bank_statements', Computed, { label: (statement) => labelOf(statement.redactionStatus, statement) });
computedFields('claim_reports', Computed, { label: (report) => labelOf(report.status, report) });
computedFields('webhook_endpoints', Computed, { label: (endpoint) => labelOf(endpoint.name, endpoint) });
computedFields('upload_links', Computed, { label: (link) => labelOf(link.status, link) });
computedFields('statement_layouts', Computed, { label: (layout) => labelOf(Object.keys(layout.layout)[0]!, layout) });

class Failing {
  @Text({ about: 'One that throws.', max: 5 }) thrown: string;
  @Text({ about: 'One that is too long.', max: 5 }) tooLong: string;
  @Text({ about: 'One that is changed while it is made.', max: 5 }) changed: string;
  @Flag({ about: 'One of another kind.' }) isOther: boolean;
}

computedFields('claim_projects', Failing, {
  thrown: () => {
    throw new RangeError('no such thing');
  },
  tooLong: ({ id }) => id,
  changed: (project) => {
    project.metadata.seen = true;
    return 'seen';
  },
  isOther: () => undefined as unknown as boolean,
});

class IndexOwnFields1800000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of LISTED) {
      await runner.query(customFieldIndex(table, 'reference'));
      await runner.query(customFieldIndex(table, 'checkedAt', { range: 'time' }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of LISTED) await runner.query(`DROP INDEX ${table}_custom_reference, ${table}_custom_checked_at_range`);
  }
}

@Module({})
class AllFieldsModule {}

export const allFieldsExtension = declareExtension({
  name: 'all-fields',
  madeFor: '1.0.0',
  modules: [AllFieldsModule],
  migrations: [IndexOwnFields1800000000001],
});
