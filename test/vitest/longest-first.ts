import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONGEST =
  /\/(?:bench\/short-forms|attack\/attack|soak\/(?:soak|platform-faults)|sessions\/(?:node-failures|recovery)|erasure\/erasure|backup\/commands)\.full\.test\.ts$/;

/** Starts with the files that take minutes, so that no worker is left alone with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
