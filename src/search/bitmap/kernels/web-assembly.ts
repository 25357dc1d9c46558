/**
 * The part of WebAssembly that is used here: neither the library of ES2023 nor the types of Node declare it, and those of
 * the DOM would make every browser global look as if it existed.
 */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => { readonly brand: 'module' };
  readonly Instance: new (module: {
    readonly brand: 'module';
  }) => { readonly exports: Readonly<Record<string, unknown>> };
};

/** Compiles and starts a module without imports, synchronously: right for a few KiB. */
export function startModule(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
}
