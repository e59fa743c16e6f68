internal import Diagnostics
internal import Glibc
internal import Pipeline

/// The installed DuckDB: the command `duckdb`, or the Python package `duckdb`, run by `python3`.
enum DuckDB {
  case command(String)
  case module(python: String)

  /// Finds DuckDB on the PATH.
  ///
  /// - Throws: ``RunFailure`` with status 66 if neither the command nor the Python package is
  ///   installed.
  static func find() throws(RunFailure) -> DuckDB {
    if let path = located("duckdb") { return .command(path) }
    if let python = located("python3"),
      try ForeignProgram.run(python, arguments: ["-c", isThere]) == 0
    {
      return .module(python: python)
    }
    throw RunFailure(
      .inputMissing,
      "DuckDB writes Parquet, but it was not found: the PATH has neither the command duckdb nor a "
        + "python3 with the module duckdb. Install one: https://duckdb.org/install, or `pip "
        + "install duckdb`.")
  }

  /// Runs the SQL statements in the file with the path `script`; throws if DuckDB reports an error.
  func run(_ script: String) throws(RunFailure) {
    let status =
      switch self {
      case .command(let path):
        try ForeignProgram.run(
          path,
          arguments: [
            "-init", "/dev/null", "-bail", "-cmd", ".output /dev/null", "-f", script, ":memory:",
          ])
      case .module(let python):
        try ForeignProgram.run(python, arguments: ["-c", Self.program, script])
      }
    guard status == 0 else {
      throw RunFailure(
        .inputOutput,
        "DuckDB could not write Parquet and ended with status \(status); the message of DuckDB is "
          + "above. Is the disk full?")
    }
  }

  private static let isThere =
    "import importlib.util, sys; sys.exit(importlib.util.find_spec('duckdb') is None)"
  private static let program =
    "import sys, duckdb\n" + """
      try: duckdb.connect().execute(open(sys.argv[1], encoding="utf-8").read())
      except duckdb.Error as error: sys.exit(f"duckdb: {error}")
      """

  /// Searches the PATH for a program and returns its path; `nil` if the PATH lacks the program.
  private static func located(_ name: String) -> String? {
    guard let list = unsafe getenv("PATH") else { return nil }
    return unsafe String(cString: list).split(separator: ":")
      .map { FilePaths.join(String($0), name) }
      .first { unsafe access($0, X_OK) == 0 }
  }
}
