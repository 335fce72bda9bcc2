export { certificateRequest, CertificatesRefused, nameIn, readCertificates } from './certificates.js';
export { type PdfSigner, signPdf } from './pdf-signature.js';
