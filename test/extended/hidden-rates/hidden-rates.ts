import { Injectable } from '@nestjs/common';
import { ClaimItemDto, ClaimProjectDto, fieldsIn, HiddenFields, Implements, type Viewer } from '../../../src/extension-api.js';

@Injectable()
@Implements(HiddenFields)
export class HiddenRates extends HiddenFields {
  readonly fields = [fieldsIn(ClaimItemDto, 'rate', 'amount', 'rateSource'), fieldsIn(ClaimProjectDto, 'clientReference')];

  isHiddenFrom({ user, application }: Viewer): boolean {
    return user?.role === 'member' || application?.name === 'Coupling';
  }
}
