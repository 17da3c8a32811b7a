import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Counts the flushes that reached the disk, and remembers the first that failed. */
export type FlushCounter = {
  flushes: number;
  failure: unknown;
};

// The parts of the WebAssembly module's file system that are touched here; the package's types leave them out.
type FsNode = { name: string };
type FsStream = { readonly nfd?: number; readonly node: FsNode };
type FsModule = {
  readonly lookupNode: (folder: FsNode, name: string) => FsNode;
  readonly destroyNode: (node: FsNode) => void;
  readonly filesystems: { readonly NODEFS: NodeFsModule };
};
type NodeFsModule = {
  readonly realPath: (node: FsNode) => string;
  readonly tryFSOperation: <T>(run: () => T) => T;
  readonly stream_ops: { fsync?: (stream: FsStream) => number };
  readonly node_ops: { rename: (node: FsNode, folder: FsNode, name: string) => void };
};

/**
 * The database's folder on disk, with flushes that are real and renames that are atomic.
 *
 * The stock file system has no `fsync`: PostgreSQL's calls succeed without doing anything, and a committed row is lost
 * with the power. It also removes the target of a rename first, so a crash between the two steps loses both files.
 */
export class FlushingFs extends NodeFS {
  readonly #counter: FlushCounter;

  constructor(folder: string, counter: FlushCounter) {
    super(folder);
    this.#counter = counter;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const patch = (module: { readonly FS: unknown }): void => {
      const fs = module.FS as FsModule;
      const nodeFs = fs.filesystems.NODEFS;
      nodeFs.stream_ops.fsync = (stream) => this.#flush(nodeFs, stream);
      nodeFs.node_ops.rename = (node, folder, name) => rename(fs, nodeFs, node, folder, name);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...asList(emscriptenOpts.preRun), patch] } };
  }

  #flush(nodeFs: NodeFsModule, stream: FsStream): number {
    return nodeFs.tryFSOperation(() => {
      try {
        if (stream.nfd === undefined) flushFolder(nodeFs.realPath(stream.node));
        else fsyncSync(stream.nfd);
      } catch (error) {
        this.#counter.failure ??= error;
        throw error;
      }
      this.#counter.flushes += 1;
      return 0;
    });
  }
}

function rename(fs: FsModule, nodeFs: NodeFsModule, node: FsNode, folder: FsNode, name: string): void {
  const target = findNode(fs, folder, name);
  const to = `${nodeFs.realPath(folder)}/${name}`;
  nodeFs.tryFSOperation(() => renameSync(nodeFs.realPath(node), to));
  // The replaced file must leave the module's name cache, or the old one would still be found under the name.
  if (target !== null) fs.destroyNode(target);
  node.name = name;
}

function findNode(fs: FsModule, folder: FsNode, name: string): FsNode | null {
  try {
    return fs.lookupNode(folder, name);
  } catch {
    // Throws when there is no such file, which is the common case.
    return null;
  }
}

function asList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

/** Flushes a folder's entries: the names in it survive the loss of power. */
export function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
