import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

let loading: Promise<typeof Pdfjs> | undefined;

/** Loaded only when a PDF is read: it takes a tenth of a second, and some megabytes. */
export const loadPdfjs = (): Promise<typeof Pdfjs> => (loading ??= loadQuietly());

/**
 * The library wants classes of browsers for drawing. Without its optional package of native code it warns on the console that it
 * has none, and does not load without `DOMMatrix`. For texts it needs none of them.
 */
async function loadQuietly(): Promise<typeof Pdfjs> {
  const global = globalThis as { DOMMatrix?: unknown };
  global.DOMMatrix ??= class {};
  const output: { warn: (...texts: unknown[]) => void } = console;
  const { warn } = output;
  output.warn = () => undefined;
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    output.warn = warn;
  }
}
