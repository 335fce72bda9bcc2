export { bytesOf, openNote, signedNote, verifierKey, type TreeHead } from './checkpoint-note.js';
export { GrowingRoot, leafHash, MerkleTree, rootOver, TILE, type ReadTile } from './merkle.js';
export * from './cosignature.js';
