import { Injectable } from '@nestjs/common';
import type { UserFacts } from '../user-rules.js';
import { SignInService, type SignIn, type SignInRequest } from './sign-in.service.js';
import type { SignInProblem, SignInState } from './sign-in.page.js';

type Call = Pick<SignInRequest, 'address' | 'requestId' | 'setsUpSecondFactor'>;
type Taken = { readonly user: UserFacts } | SignInState;

/** Signs a user in by the fields of a form: first e-mail address and password, then the code if the user has a second factor. */
@Injectable()
export class SignInSteps {
  constructor(private readonly signIns: SignInService) {}

  async take(form: URLSearchParams, where: Call & Pick<SignInRequest, 'organizationId'>): Promise<Taken> {
    const fields = fieldsOf(form);
    return stateOf(fields, await this.signIns.signIn({ ...fields, ...where }), 'credentials');
  }

  /** A user of any organization: the form has a field for it. */
  async takeAnywhere(form: URLSearchParams, call: Call): Promise<Taken> {
    const fields = fieldsOf(form);
    const organization = form.get('organization') ?? '';
    return stateOf(fields, await this.signIns.signInAnywhere({ ...fields, ...call, organization }), 'credentials_anywhere');
  }
}

function fieldsOf(form: URLSearchParams) {
  const [email = '', password = '', code = '', proof = ''] = ['email', 'password', 'code', 'proof'].map((name) => form.get(name) ?? '');
  return { email, password, code: code.replaceAll(' ', ''), ...(proof && { proof }) };
}

function stateOf({ email, proof }: ReturnType<typeof fieldsOf>, result: SignIn, wrong: SignInProblem): Taken {
  if ('user' in result) return result;
  const { refused } = result;
  if (refused === 'code_needed') return { email, proof: result.proof };
  if (refused !== 'credentials') return { email, proof, problem: refused };
  return { email, proof: undefined, problem: proof ? 'too_late' : wrong };
}
