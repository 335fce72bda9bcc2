import { Injectable } from '@nestjs/common';
import { FirstStep } from '../../../api/console/overview.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { StatementsService } from '../statements.service.js';

@Implements(FirstStep)
@Injectable()
export class UploadStep implements FirstStep {
  readonly order = 20;
  readonly title = 'Upload a statement';
  readonly about = 'Reports are made from bank statements. Personal data is masked before anything else happens.';
  readonly path = 'statements/new';

  constructor(private readonly statements: StatementsService) {}

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.statements.list(ctx, { page: 1, page_size: 1 })).total > 0;
  }
}
