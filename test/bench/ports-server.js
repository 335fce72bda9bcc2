// One process in which the service listens five times: twice as it is, and with extensions that are asked about each call, about each write, and
// about each change of a project, and do nothing. In one process V8 has optimized the same code for all of them. The port after theirs tells how many
// microseconds of a processor the process has used.
import { createServer } from 'node:http';
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import * as api from '../../dist/src/extension-api.js';
import { createLog } from '../../dist/src/kernel/log.js';
import { createApp } from '../../dist/src/program/app.js';
import { readSettings } from '../../dist/src/program/read-settings.js';

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

const EXTENSIONS = {
  calls: [provided(api.Policy, NoRule), provided(api.HiddenFields, NothingHidden)],
  writes: [provided(api.Policy, NoRuleAboutWrites)],
  changes: [provided(api.ChangeHook, NoChange)],
};

function extensionWith(name, providers) {
  class NothingModule {}
  Module({ providers })(NothingModule);
  return api.declareExtension({ name, madeFor: '^1.0.0', modules: [NothingModule] });
}

const settings = await readSettings(process.env);
const services = [[], [], ...Object.entries(EXTENSIONS).map(([name, providers]) => [extensionWith(name, providers)])];
for (const [index, extensions] of services.entries()) {
  const app = await createApp(settings, createLog(settings), extensions);
  await app.listen(settings.port + 1 + index, settings.host);
}
const tellUsed = (_request, answer) => {
  const { user, system } = process.cpuUsage();
  answer.end(String(user + system));
};
createServer(tellUsed).listen(settings.port, settings.host);
