import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor, Tenant } from '../../../kernel/context.js';
import type { AuditAction } from '../../../kernel/audit-actions.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type ReadContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { certificateRequest, CertificatesRefused, nameIn, type PdfSigner } from '../../../../tools/pdf-signatures/index.js';
import { readCertificates } from '../../../../tools/pdf-signatures/index.js';
import { notInState } from './closing.entity.js';
import { type CertifiedKey, SigningKeysRepository } from './closings.repository.js';

/** Of the certificate of the key, the last day included. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: Date;
}

/**
 * The certificate by which an organization signs the PDFs of final claims. Its key is made here and never leaves: an authority gets a
 * request, and what it answers is given here.
 */
@Injectable()
export class SigningCertificates {
  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async find(tenant: Tenant): Promise<ShownCertificate | undefined> {
    const [own] = certificatesOf(await this.keys.findCertified(tenant));
    return own && { subject: nameIn(own.subject), issuer: nameIn(own.issuer), validTo: new Date(own.validTo) };
  }

  /** undefined if none is given. A claim does not become final by one that has ended: readers would not trust its signature. */
  async findSigner(ctx: ReadContext): Promise<PdfSigner | undefined> {
    const key = await this.keys.findCertified(ctx, ctx.unit);
    const certificates = certificatesOf(key);
    const ended = certificates.find(({ validTo }) => new Date(validTo) < this.clock.now());
    if (ended) throw notInState(`The certificate of ${nameIn(ended.subject)} has ended. Replace or remove it on the page Signatures.`);
    return certificates.length > 0 ? { certificates, privateKey: key!.privateKey } : undefined;
  }

  /** As PEM. Until the certificate is removed, it is always about the same key. */
  async request(actor: Actor, tenant: Tenant, name: string): Promise<string> {
    await this.keys.findOrMake(tenant);
    const key = await this.change(actor, tenant, 'signing_certificate.requested', (found) => {
      return found ?? { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, certificates: null };
    });
    return certificateRequest(name, key!.privateKey);
  }

  async give(actor: Actor, tenant: Tenant, pem: string): Promise<void> {
    await this.change(actor, tenant, 'signing_certificate.given', (found) => {
      if (!found) throw Problem.invalidField('certificates', 'not_allowed', 'must be that of a request which was made here');
      const certificates = checked(() => readCertificates(pem, found.privateKey, this.clock.now()));
      return { ...found, certificates: certificates.map(String).join('') };
    });
  }

  /** With its key: the next request is about another one. */
  async remove(actor: Actor, tenant: Tenant): Promise<void> {
    await this.change(actor, tenant, 'signing_certificate.removed', () => null);
  }

  private change(
    actor: Actor,
    tenant: Tenant,
    action: AuditAction,
    change: (found: CertifiedKey | undefined) => CertifiedKey | null,
  ): Promise<CertifiedKey | null> {
    return this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const before = await this.keys.findCertified(tenant, ctx.unit, true);
      const after = change(before);
      await this.keys.setCertified(tenant, after, ctx.unit);
      const [from, to] = [shaOf(before), shaOf(after)];
      this.audit.record(ctx, { action, resourceId: tenant.organizationId, changes: from === to ? {} : { certificate: { from, to } } });
      return after;
    });
  }
}

const certificatesOf = (key: CertifiedKey | null | undefined): X509Certificate[] =>
  (key?.certificates?.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? []).map((pem) => new X509Certificate(pem));

const shaOf = (key: CertifiedKey | null | undefined): string | null =>
  certificatesOf(key)[0]?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificatesRefused) throw Problem.invalidField('certificates', 'not_allowed', error.message);
    throw error;
  }
}
