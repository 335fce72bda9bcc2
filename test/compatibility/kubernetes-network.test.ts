import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { describe, expect, it } from 'vitest';
import { isAddressIn } from '../../src/kernel/addresses.js';
import { describeOverlays } from './support/kustomize.js';
import { selects } from './support/manifests.js';

type Spec = NonNullable<INetworkPolicy['spec']>;
type Rule = NonNullable<Spec['egress']>[number];
type Block = NonNullable<NonNullable<Rule['to']>[number]['ipBlock']>;

const OUTSIDE = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];
const INSIDE = ['10.96.0.1', '172.16.5.4', '192.168.1.1', '100.64.0.10', '169.254.169.254', '127.0.0.1', 'fd00:ec2::254', 'fe80::1', '::1'];
/** Kinds of addresses that only a private network, a machine or several machines at once have. */
const PRIVATE = ['private', 'carrierGradeNat', 'loopback', 'linkLocal', 'multicast', 'broadcast', 'unspecified', 'uniqueLocal'];

const isIn = (address: string, { cidr, except = [] }: Block): boolean => isAddressIn(address, [cidr]) && !isAddressIn(address, except);

const covers = ({ ports }: Rule, port: number): boolean =>
  !ports || ports.some((range) => port >= Number(range.port) && port <= (range.endPort ?? Number(range.port)));

describeOverlays('the network of', (_overlay, rendered) => {
  const policies = rendered.of('NetworkPolicy').map(({ spec }) => spec);

  const policiesOf = (name: string): Spec[] => {
    const { labels } = rendered.makers.find((made) => made.name === name)!.template.metadata!;
    return policies.filter(({ podSelector }) => selects(podSelector as never, labels as Record<string, string>));
  };

  const mayReach = (name: string, address: string, port: number): boolean =>
    policiesOf(name)
      .flatMap(({ egress = [] }) => egress)
      .some((rule) => covers(rule, port) && rule.to!.some(({ ipBlock }) => ipBlock && isIn(address, ipBlock)));

  /** Who may call a pod: the namespace and the port. */
  const callersOf = (name: string): string[] =>
    policiesOf(name)
      .flatMap(({ ingress = [] }) => ingress)
      .flatMap(({ from, ports }) =>
        from!.map(({ namespaceSelector }) => {
          const { 'kubernetes.io/metadata.name': namespace } = namespaceSelector!.matchLabels as Record<string, string>;
          return `${namespace} ${ports!.map(({ port }) => port).join(' ')}`;
        }),
      );

  /** The network of Postgres or Redis, as the overlay says it. */
  const networkOf = (store: 'postgres' | 'redis'): string =>
    rendered.one('NetworkPolicy', `claims-${store}`).spec.egress![0]!.to![0]!.ipBlock!.cidr;

  it('refuses what no policy allows, for every pod of the namespace', () => {
    expect(policies).toContainEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('lets only what passes calls on call the API, and only Prometheus read metrics', () => {
    expect(callersOf('claims-api')).toEqual(['envoy-gateway-system http', 'monitoring metrics']);
    expect(callersOf('claims-worker')).toEqual(['monitoring metrics']);
    expect(callersOf('claims-migrate')).toEqual([]);
  });

  it('lets API and worker reach Postgres, Redis and the internet', () => {
    for (const name of ['claims-api', 'claims-worker']) {
      for (const address of OUTSIDE) expect([443, 8443, 587].map((port) => mayReach(name, address, port))).toEqual([true, true, true]);
      expect(mayReach(name, hostIn(networkOf('postgres')), 5432)).toBe(true);
      expect(mayReach(name, hostIn(networkOf('redis')), 6379)).toBe(true);
    }
  });

  it('lets the migration reach Postgres alone', () => {
    expect(mayReach('claims-migrate', hostIn(networkOf('postgres')), 5432)).toBe(true);
    expect(mayReach('claims-migrate', hostIn(networkOf('redis')), 6379)).toBe(false);
    for (const address of OUTSIDE) expect(mayReach('claims-migrate', address, 443)).toBe(false);
  });

  it('knows where Postgres and Redis are, other than the example of the base', () => {
    expect([networkOf('postgres'), networkOf('redis')]).not.toContain('192.0.2.1/32');
  });

  describe.each(rendered.makers)('lets no pod of $name', ({ name }) => {
    it.each(INSIDE)('reach %s of the cluster or of a machine', (address) => {
      for (const port of [80, 443, 6443, 10_250, 5432, 6379]) expect(mayReach(name, address, port), `port ${port}`).toBe(false);
    });

    it('reach any other private address', () => {
      fc.assert(
        fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.integer({ min: 1, max: 65_535 }), (address, port) => {
          if (!mayReach(name, address, port)) return;
          const isStore = isAddressIn(address, [networkOf('postgres'), networkOf('redis')]);
          expect(isStore || !PRIVATE.includes(ipaddr.parse(address).range()), `${address} ${port}`).toBe(true);
        }),
        { numRuns: 2000 },
      );
    });

    it('go without names, or ask anything but the DNS of the cluster for them', () => {
      const named = policiesOf(name)
        .flatMap(({ egress = [] }) => egress)
        .filter((rule) => rule.to!.some(({ ipBlock }) => !ipBlock));
      expect(named).toHaveLength(1);
      expect(named[0]!.ports!.map(({ protocol, port }) => `${protocol} ${port}`)).toEqual(['UDP 53', 'TCP 53']);
    });
  });
});

/** The fifth address of a network. */
function hostIn(cidr: string): string {
  const octets = cidr.split('/')[0]!.split('.');
  return [...octets.slice(0, 3), Number(octets[3]) + 5].join('.');
}
