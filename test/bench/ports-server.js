// The service with an extension that implements the ports which are asked with each call, and does nothing. ASKED_ABOUT=writes: those about
// writes as well.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import * as api from '../../dist/src/extension-api.js';
import { extensions } from '../../dist/src/extensions/index.js';

const provided = (port, type) => (Injectable()(type), api.Implements(port)(type), type);

class NoRule {
  problems = [];
  check() {}
}
class NoRuleAboutWrites {
  problems = [];
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

const ofCalls = [provided(api.Policy, NoRule), provided(api.HiddenFields, NothingHidden)];
const ofWrites = [provided(api.Policy, NoRuleAboutWrites), provided(api.ChangeHook, NoChange)];
class NothingModule {}
Module({ providers: process.env.ASKED_ABOUT === 'writes' ? [...ofCalls, ...ofWrites] : ofCalls })(NothingModule);
extensions.push(api.declareExtension({ name: 'nothing', madeFor: '1.0.0', modules: [NothingModule] }));
await import('../../dist/src/main.js');
