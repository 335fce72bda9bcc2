import { Injectable } from '@nestjs/common';
import { Before, ChangeHook, CreateClaimProjectDto, declareProblem, Implements, Problem, type WriteContext } from '@claims-api/extension-api';

const REFERENCE_MISSING = declareProblem('reference_missing', {
  status: 409,
  title: 'The project has no client reference',
  retry: 'never',
  about: 'Each claim project belongs to a client: set its client reference.',
});

/** A claim project without the reference of a client is refused, whatever creates it. */
@Injectable()
@Implements(ChangeHook)
export class ReferenceRules extends ChangeHook {
  @Before('claim_projects.create', { problems: [REFERENCE_MISSING] })
  requireReference(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    if (!input.clientReference) throw new Problem(REFERENCE_MISSING);
  }
}
