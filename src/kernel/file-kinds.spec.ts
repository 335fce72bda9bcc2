import { describe, expect, it } from 'vitest';
import { isMisnamed, kindOf } from './file-kinds.js';

const PDF = Buffer.from('%PDF-1.7\n');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const ZIP = Buffer.from('PK\u0003\u0004 and so on');
const ENCRYPTED_WORKBOOK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const TEXT = Buffer.from('Date,Description,Amount\n');

describe('the name of a file', () => {
  it.each([
    ['a.pdf', TEXT],
    ['a.pdf', JPEG],
    ['A.PDF', ZIP],
    ['a.jpg', PDF],
    ['a.png', PDF],
    ['a.heic', TEXT],
    ['a.xlsx', TEXT],
    ['a.csv', PDF],
    ['a.csv', ZIP],
    ['a.txt ', JPEG],
    ['a.eml', PDF],
    ['invoice.pdf.exe', PDF],
    ['a.html', TEXT],
  ])('says something else than its content: %s (%#)', (name, content) => {
    expect(isMisnamed(name, kindOf(content))).toBe(true);
  });

  it.each([
    ['a.pdf', PDF],
    ['a.JPEG', JPEG],
    ['a.png', JPEG],
    ['a.heic', JPEG],
    ['a.xlsx', ZIP],
    ['a.xlsx', ENCRYPTED_WORKBOOK],
    ['a.zip', ZIP],
    ['a.csv', TEXT],
    ['a.mt940', TEXT],
    ['a.sta', PDF],
    ['a.xls', TEXT],
    ['a.2026', PDF],
    ['no ending', JPEG],
    ['', TEXT],
  ])('agrees with its content, or says nothing of it: %s (%#)', (name, content) => {
    expect(isMisnamed(name, kindOf(content))).toBe(false);
  });
});
