import { Injectable } from '@nestjs/common';
import { say } from '../../../api/console/say.js';
import { RecordSearch, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { BankStatement } from '../statement.entity.js';
import { StatementsService } from '../statements.service.js';

@Implements(SearchSource)
@Injectable()
export class StatementSearch extends RecordSearch<BankStatement>({
  label: 'Statements',
  order: 20,
  path: 'statements',
  operations: 'bank_statements',
  titleOf: ({ fileName }) => fileName || say('upload.nameless'),
  aboutOf: ({ accountLabel }) => accountLabel,
}) {
  constructor(statements: StatementsService) {
    super(statements);
  }
}
