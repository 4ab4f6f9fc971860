/**
 * Callables that do not reject every invalid value by name, with the reason. A test finds entries that are no longer
 * needed.
 */
const OWN_ERRORS = 'The library makes its errors of fixed texts; what rejects cannot reject itself.';
const NAME_OF_CALLER = 'The name is how the caller wants errors to call the value; texts are all that it can be.';

export const NOT_CHECKED: Readonly<Record<string, string>> = {
  'new RoceError': OWN_ERRORS,
  'RoceError.at': OWN_ERRORS,
  lengthError: OWN_ERRORS,
  validateParameters: NAME_OF_CALLER,
  validatePortQos: NAME_OF_CALLER,
  restoreEngineSync:
    'The one of roce-cc/dcqcn takes no snapshot of the engine with all algorithms; the other one passes.',
  formatTraceLine: 'Names the change, of which `extra` is a part.',
  importCcParams: 'A line rate below what a file says is reported by the line of the file.',
  parseFlows: 'A text without the columns is reported by the columns.',
  readGoal: 'Bytes without the first word are reported by that word.',
  readHtsimTopology: 'Bytes without the first key are reported by that key.',
  readNcclTopology: 'Bytes without the first element are reported by that element.',
  readSimai: 'Bytes without the first word are reported by that word.',
  readSimaiTopology: 'Bytes without the first line are reported by that line.',
  parseResultJson: 'A text that is no JSON is reported by the parser.',
  parseScenario: 'What holds itself is reported by its depth, at the place within it.',
  validateScenario: 'What holds itself is reported by its depth, at the place within it.',
  requireMemory: 'A limit below every scenario is reported by what the scenario needs.',
  'Icrc.computeAt': 'Too few bytes are reported by the first offset beyond them.',
  'FlowPlans.set': 'Called for each of a million flows; columns hold numbers only.',
  'PortCapture.add': 'Called for each packet; records are what SimKernel.drainPackets gave.',
};
