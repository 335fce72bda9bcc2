// One process in which the service listens four times: twice as it is, with an extension that is asked about each call, and with one that is also
// asked about each write. Both do nothing. In one process V8 has optimized the same code for all of them. The port after theirs tells how many
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

const ofCalls = [provided(api.Policy, NoRule), provided(api.HiddenFields, NothingHidden)];
const ofWrites = [provided(api.Policy, NoRuleAboutWrites), provided(api.ChangeHook, NoChange)];

function extensionWith(name, providers) {
  class NothingModule {}
  Module({ providers })(NothingModule);
  return api.declareExtension({ name, madeFor: '^1.0.0', modules: [NothingModule] });
}

const settings = await readSettings(process.env);
const services = [[], [], [extensionWith('calls', ofCalls)], [extensionWith('writes', [...ofCalls, ...ofWrites])]];
for (const [index, extensions] of services.entries()) {
  const app = await createApp(settings, createLog(settings), extensions);
  await app.listen(settings.port + 1 + index, settings.host);
}
const tellUsed = (_request, answer) => {
  const { user, system } = process.cpuUsage();
  answer.end(String(user + system));
};
createServer(tellUsed).listen(settings.port, settings.host);
