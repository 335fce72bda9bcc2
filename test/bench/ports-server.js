// The service with an extension that implements every port which is asked with each call, and does nothing.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import * as api from '../../dist/src/extension-api.js';
import { extensions } from '../../dist/src/extensions/index.js';

const provided = (port, type) => (Injectable()(type), api.Implements(port)(type), type);

class NoRule {
  problems = [];
  check() {}
  checkWrite() {}
  checkWritten() {}
}
class NothingHidden extends api.HiddenFields {
  fields = [api.fieldsIn(api.ClaimProjectDto, 'clientReference')];
  isHiddenFrom() {
    return false;
  }
}
class NoChange extends api.ChangeHook {
  before() {}
  after() {}
}
const describe = (name, decorator) => decorator(NoChange.prototype, name, Object.getOwnPropertyDescriptor(NoChange.prototype, name));
describe('before', api.Before('claim_projects.create'));
describe('after', api.After('claim_projects.create'));

class NothingModule {}
Module({
  providers: [provided(api.Policy, NoRule), provided(api.HiddenFields, NothingHidden), provided(api.ChangeHook, NoChange)],
})(NothingModule);
extensions.push(api.declareExtension({ name: 'nothing', madeFor: '1.0.0', modules: [NothingModule] }));
await import('../../dist/src/main.js');
