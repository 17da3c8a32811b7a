import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Counts flushes that reached the disk, and keeps the first error. */
export type FlushCounter = {
  flushes: number;
  failure: unknown;
};

// Parts of the WebAssembly module's file system used here, which the package does not type.
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
 * A file system for the database's folder with real flushes and atomic renames.
 *
 * The default file system has no `fsync`: PostgreSQL's calls succeed without effect, and a power failure loses
 * committed rows. It also removes the target of a rename first, so a crash between the two steps loses both files.
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
  // Removes the replaced file from the module's name cache, which would still find it under the name.
  if (target !== null) fs.destroyNode(target);
  node.name = name;
}

function findNode(fs: FsModule, folder: FsNode, name: string): FsNode | null {
  try {
    return fs.lookupNode(folder, name);
  } catch {
    // Throws for a missing file, which is the common case.
    return null;
  }
}

function asList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

/** Flushes a folder's entries, so that its file names survive a power failure. */
export function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
