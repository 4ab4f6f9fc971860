// A check of asc's output: static data ends before the regions that `initialise` lays out (src/abi/layout.ts).

/** A transform of asc. It measures before binaryen drops trailing zeros, so that `memory.data(bytes)` counts in full. */
export class StaticDataCheck {
  afterCompile(module) {
    const from = this.#constant(module, 'STATIC_DATA');
    const bound = this.#constant(module, 'FIXED_END');
    for (let index = 0; index < module.getNumDataSegments(); index++) {
      const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(index));
      const end = offset + data.byteLength;
      if (offset < from || end > bound)
        throw new Error(
          `static data at ${offset} to ${end} is not within STATIC_DATA (${from}) and FIXED_END (${bound})`,
        );
    }
  }

  #constant(module, name) {
    const { init } = this.binaryen.getGlobalInfo(module.getGlobal(`src/abi/layout/${name}`));
    return this.binaryen.getExpressionInfo(init).value;
  }
}
