import { Injectable } from '@nestjs/common';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { type Found, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import { RequestHistoryService } from '../request-history.service.js';

const LONGEST_ID = 128;

/** Calls are found by their request ids, which callers choose. */
@Implements(SearchSource)
@Injectable()
export class RequestSearch implements SearchSource {
  readonly label = 'Requests';
  readonly order = 60;

  constructor(private readonly history: RequestHistoryService) {}

  async find(ctx: PageContext, text: string): Promise<readonly Found[]> {
    if (text.length > LONGEST_ID) return [];
    const requests = await this.history.withRequestId(ctx, text);
    return requests.map(({ id, method, path, status }) => ({
      title: `${method} ${path}`,
      about: `${status}`,
      path: pathOf(ctx, 'requests', id),
    }));
  }
}
