internal import SharedTables
internal import Pipeline
internal import StateStore
internal import ArgumentParser
internal import Diagnostics
internal import PurchaseModel

/// `paidline forget`: removes the content of files that should not have been read.
struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove the content of files; the next run publishes without it.",
    discussion: """
      Name a file by its path; or, if the file has another content now, by the SHA-256 of the \
      content to remove. The table audit_file lists both. A prefix of the hash that no other file \
      shares suffices. A forgotten file is not read again, under any name, until \
      `paidline backfill --reprocess all`.

      EXAMPLES
        paidline forget Pipelines/nightly.yaml --file in/b.ndjson
        paidline forget Pipelines/nightly.yaml --file 3f2a9c1e
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    name: .customLong("file"), parsing: .singleValue,
    help: ArgumentHelp(
      "A path, or the SHA-256 of a file; may be given several times.", valueName: "file"),
    completion: .file())
  var names: [String]

  @OptionGroup var wait: WaitOption

  @Flag(name: [.customShort("n"), .long], help: "Print what would be removed; change nothing.")
  var dryRun = false

  func validate() throws {
    guard !names.isEmpty else { throw ValidationError("Name a file with --file FILE.") }
  }

  func run() throws {
    let definition = try pipeline.read()
    if dryRun {
      let state = try StateDatabase.openToRead(path: definition.statePath)
      let choice = try FileChoice(names, of: definition, in: state)
      return try CheckedOutput.standard.writeLine(
        choice.text(verb: "would be forgotten") + "\nNothing was changed.")
    }
    guard PathStatus.exists(definition.statePath) else {
      throw RunFailure(
        .inputMissing,
        "\(OneLine.text(definition.statePath)): nothing has been read yet; run `paidline run "
          + "\(OneLine.text(definition.path))` first")
    }
    let lock = try StateLock(statePath: definition.statePath, waitSeconds: wait.seconds)
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try RemovalsFile.reconcile(state, at: definition.statePath)
    let choice = try FileChoice(names, of: definition, in: state)
    if !choice.files.isEmpty {
      try state.forget(files: choice.files.map(\.id), at: SystemClock.now)
    }
    try RemovalsFile.reconcile(state, at: definition.statePath)
    let isClean = try state.scrub()
    try state.close()
    withExtendedLifetime(lock) {}
    try CheckedOutput.standard.writeLine(
      choice.text(verb: "forgotten")
        + (choice.files.isEmpty ? "" : "\nThe next run publishes the facts without them."))
    guard isClean else {
      throw RunFailure(
        .tryAgain,
        "another program is reading \(OneLine.text(definition.statePath)), whose log may "
          + "still contain removed rows. End that program and run the same command again.")
    }
  }
}

/// The files that `paidline forget` removes, found by their paths or hashes in the option `--file`.
struct FileChoice {
  /// The stored files whose SHA-256 begins with one of the hashes.
  private(set) var files: [StoredFile] = []
  /// The files with such a SHA-256 whose content an earlier command has already removed.
  private(set) var forgotten: [ForgottenFile] = []

  /// Finds the files by their paths, by their hashes, or by prefixes of hashes.
  ///
  /// - Throws: ``RunFailure`` with status 64 for a text that is neither a file nor a hash, for a
  ///   hash of several files, and for a path under which several contents were read; with 66 for a
  ///   file that has not been read.
  init(_ names: [String], of definition: PipelineDefinition, in state: StateDatabase)
    throws(RunFailure)
  {
    let stored = try state.files()
    let known = try state.forgottenFiles()
    var chosen: Set<String> = []
    for name in names.sorted() {
      let given = try Self.hash(name, at: definition.place(of: name), of: stored)
      let matches = stored.filter { $0.sha256.hasPrefix(given) }
      let earlier = known.filter { $0.sha256.hasPrefix(given) }
      let distinct = Set(matches.map(\.sha256) + earlier.map(\.sha256))
      guard !distinct.isEmpty else {
        throw RunFailure(
          .inputMissing,
          "--file \(OneLine.text(name)): no file with the hash \(given) has been read; the table "
            + "audit_file lists the hashes of all files read")
      }
      guard distinct.count == 1, let hash = distinct.first else {
        throw RunFailure(
          .usage,
          "--file \(OneLine.text(name)) names \(distinct.count) files; give more digits:\n"
            + distinct.sorted().map { "  \($0)" }.joined(separator: "\n"))
      }
      guard chosen.insert(hash).inserted else { continue }
      files += matches
      forgotten += earlier
    }
  }

  /// Returns the text in lower case if it is a hash, else the hash of the file at this path, which
  /// is relative to the working directory, or to the pipeline's folder as `audit_file` has it.
  private static func hash(_ text: String, at place: String, of stored: [StoredFile])
    throws(RunFailure) -> String
  {
    let digits = text.lowercased()
    if (4...64).contains(digits.utf8.count), digits.utf8.allSatisfy(isHexDigit) { return digits }
    var current: Set<String> = []
    for path in Set([text, place]) {
      if let hash = try OpenInput.contentHash(ofFileAt: path) { current.insert(hash) }
    }
    // The owner may mean the content that was corrected since, or that of a file that is gone.
    let contents = current.union(stored.filter { $0.name == text }.map(\.sha256))
    guard let hash = contents.first else {
      throw RunFailure(
        .usage,
        "--file \(OneLine.text(text)): neither the path of a file that exists or was read, nor a "
          + "hash; give a path as audit_file lists it, or four or more of the 64 hex digits of the "
          + "file's SHA-256")
    }
    guard contents.count == 1 else {
      throw RunFailure(
        .usage,
        "--file \(OneLine.text(text)): other content was read from this path, too; give the hash "
          + "of the content to remove:\n"
          + contents.sorted().map { "  \($0)\(current.contains($0) ? " (now at this path)" : "")" }
          .joined(separator: "\n"))
    }
    return hash
  }

  /// Returns a line for each file: the files to remove, then the files that were already forgotten.
  ///
  /// `verb` is the action at the start of the first lines, such as `would be forgotten`.
  func text(verb: String) -> String {
    let lines =
      files.map {
        "\(verb): \(OneLine.text($0.name)) (\($0.kind.rawValue), "
          + "\(Count.text($0.tally.records, "record")), \($0.sha256))"
      }
      + forgotten.map { "already forgotten: \(OneLine.text($0.name)) (\($0.sha256))" }
    return lines.joined(separator: "\n")
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
