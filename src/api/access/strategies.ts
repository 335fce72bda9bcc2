import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { CredentialResolvers, type Resolved } from './credential-resolver.js';

/** `X-API-Key: pk_live_…` */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly resolvers: CredentialResolvers) {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  validate(credential: string): Promise<Resolved> {
    return this.resolvers.resolve(credential, 'api-key');
  }
}

/** `Authorization: Bearer …` */
@Injectable()
export class BearerStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'bearer') {
  constructor(private readonly resolvers: CredentialResolvers) {
    super({ header: 'Authorization', prefix: 'Bearer ' }, false);
  }

  validate(credential: string): Promise<Resolved> {
    return this.resolvers.resolve(credential, 'bearer');
  }
}
