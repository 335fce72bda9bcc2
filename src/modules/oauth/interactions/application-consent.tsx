import { Injectable } from '@nestjs/common';
import { Registry } from '../../../api/operation/registry.js';
import { OrganizationService } from '../../organization/index.js';
import { IdentityProvidersService, signInPage } from '../../users/index.js';
import type { Application } from '../applications/application.entity.js';
import { consentPage } from './consent.page.js';
import { scopeGroups } from '../../../api/access/scope-groups.js';
import { OtherWays } from './other-ways.js';
import type { Shown } from './shown.js';

/** The pages of an application of one organization. */
@Injectable()
export class ApplicationConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly identityProviders: IdentityProvidersService,
    private readonly registry: Registry,
  ) {}

  async page(application: Application, { question, form, user, state }: Shown): Promise<{ status: number; page: string }> {
    const { name: applicationName, organizationId, environment } = application;
    const { name: organizationName, slug } = await this.organizations.byId(organizationId);
    const { problem, proof } = state;
    const company = (await this.identityProviders.of(organizationId)) && slug;
    const about = (
      <>
        <p>
          Sign in to continue to <strong>{applicationName}</strong> with your account at <strong>{organizationName}</strong>.
        </p>
        {proof === undefined ? <OtherWays question={question} form={form} company={company} /> : null}
      </>
    );
    const asked = scopeGroups(this.registry, [...new Set(Object.values(question.scopes).flat())]);
    const page = user
      ? consentPage({ ...question, ...form, applicationName, organizationName, environment, userName: user.name, asked, problem })
      : signInPage({ ...form, about, after: <NoSignIn />, email: question.loginHint, ...state });
    return { status: problem === undefined ? 200 : 400, page };
  }
}

export const NoSignIn = () => (
  <button class="plain" name="do" value="refuse" formNoValidate>
    Do not sign in
  </button>
);
