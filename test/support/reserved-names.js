// Preloaded in the processes of the tests and those that they start: names that are reserved for examples (RFC 2606) resolve nowhere, and
// at once. A DNS server that is slow or loses packets would decide how long a test takes otherwise, and whether it passes.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|test)\.?$/i;

const notFound = (hostname) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { errno: -3008, code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });

const { lookup } = dns;
dns.lookup = (hostname, ...rest) => {
  if (typeof hostname !== 'string' || !RESERVED.test(hostname)) return lookup(hostname, ...rest);
  const done = rest.at(-1);
  setImmediate(() => done(notFound(hostname)));
};

const { lookup: promised } = dns.promises;
dns.promises.lookup = (hostname, options) =>
  typeof hostname === 'string' && RESERVED.test(hostname) ? Promise.reject(notFound(hostname)) : promised(hostname, options);

const { prototype } = dns.promises.Resolver;
for (const method of ['resolve4', 'resolve6']) {
  const { [method]: resolve } = prototype;
  prototype[method] = function (hostname, ...rest) {
    return RESERVED.test(hostname) ? Promise.reject(notFound(hostname)) : resolve.call(this, hostname, ...rest);
  };
}

syncBuiltinESMExports();
