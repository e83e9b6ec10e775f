// Compiles a project, and prints the errors of its files and of the declarations of one package: those of other packages
// and of the compiler's libraries, which take most of the time, are not its concern. `node check_own.js <typescript>
// <project> <package>`
import { createRequire } from "node:module";

const [folder, project, name] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(folder);
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => console.log(messageText) };
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(project, {}, host);
const program = ts.createProgram(fileNames, options);
const own = program.getSourceFiles().filter(({ fileName }) =>
  !fileName.includes("/node_modules/") || fileName.includes(`/node_modules/${name}/`)
);
const declared = own.filter(({ isDeclarationFile }) => options.declaration && !isDeclarationFile);
const errors = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ...declared.flatMap((file) => program.getDeclarationDiagnostics(file)),
];
if (!own.some(({ fileName }) => fileName.includes("/node_modules/"))) console.log(`no declarations of ${name}`);
process.stdout.write(ts.formatDiagnostics(errors, ts.createCompilerHost(options)));
