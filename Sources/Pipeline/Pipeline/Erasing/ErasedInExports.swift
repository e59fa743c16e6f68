internal import SharedTables
internal import StateStore
package import Diagnostics
package import ExportReading
internal import PurchaseModel
internal import SystemPackage

/// Removes erased customers from the output of `paidline-validate`: answers that wait in
/// validation.db, and exports in their place.
package struct ErasedInExports {
  let definition: PipelineDefinition
  let state: StateDatabase

  /// The changes that were made.
  package struct Account: Hashable {
    /// Answers that no export holds yet.
    package var answers = 0
    /// Exports that were rewritten, as no run had read them yet.
    package var exports = 0
    /// Exports that name the customers and are read already.
    package var named: [String] = []
    /// Exports that could not be read, each as one line.
    package var unreadable: [String] = []
  }

  /// Replaces the erased customers of a pipeline by pseudonyms; `nil` without erased customers.
  ///
  /// Call it under the lock, because it brings an older state.db up to date.
  package static func replacement(_ definition: PipelineDefinition) throws(RunFailure)
    -> CustomerReplacement?
  {
    guard PathStatus.exists(definition.statePath) else { return nil }
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    let erased = try state.erasedCustomerList()
    try state.close()
    return erased.map { erased in CustomerReplacement { erased.pseudonym(of: $0) } }
  }

  /// Changes all of it.
  ///
  /// After an interruption it continues.
  ///
  /// An export that was read stays as it is: it is an input by then, and a changed input is another
  /// one.
  ///
  /// - Throws: ``RunFailure`` when writing fails, and with status 75 if a reader holds the log of
  ///   validation.db.
  func run() throws(RunFailure) -> Account {
    var account = Account()
    let path = definition.validationPath
    guard PathStatus.exists(path), let erased = try state.erasedCustomerList() else {
      return account
    }
    let replacement = CustomerReplacement { erased.pseudonym(of: $0) }
    let read = Set(try state.files().filter { $0.kind == .receipts }.map(\.sha256))
    let store = try ValidationDatabase.open(path: path)
    account.answers = try store.replaceAnswers { replacement.applied(to: $0) }
    for export in try store.exports() {
      try StopSignal.check()
      let path = place(of: export.path)
      // The next run of paidline-validate makes it again from the stored answers.
      if !export.isFinished { try ExportFile.removeDraft(of: path) }
      guard PathStatus.exists(path) else { continue }
      do {
        switch try rewrite(path, replacement, unless: read) {
        case .clean: break
        case .rewritten: account.exports += 1
        case .read: account.named.append(path)
        }
      } catch let error as ExportError {
        account.unreadable.append("\(OneLine.text(path)): \(error)")
      } catch let error as RunFailure {
        throw error
      } catch {
        throw .system(error as? Errno ?? .ioError, "reading \(path)")
      }
    }
    let isClean = try store.scrub()
    try store.close()
    guard isClean else {
      throw RunFailure(
        .tryAgain,
        "another program is reading \(OneLine.text(path)), whose log may still contain removed data. End that "
          + "program and run the same command again.")
    }
    return account
  }

  /// The path of an export: in the folder that the pipeline names now, else in the folder it was
  /// written to.
  private func place(of path: String) -> String {
    guard let output = definition.validation?.output else { return path }
    let now = FilePaths.join(FilePaths.folder(of: output.pattern), FilePaths.name(of: path))
    return PathStatus.exists(now) ? now : path
  }

  /// The result for an export.
  private enum Outcome {
    /// It names none of the customers.
    case clean
    case rewritten
    /// It names some, and a run has read it.
    case read
  }

  /// Rewrites an export, unless it names none of the customers or a run has read it.
  private func rewrite(
    _ path: String, _ replacement: CustomerReplacement, unless read: Set<String>
  ) throws -> Outcome {
    let file = try FileDescriptor.open(
      FilePath(path), .readOnly, options: [.noFollow, .closeOnExec])
    defer { try? file.close() }
    var hash = ""
    var isNamed = false
    func readAll(_ body: ([UInt8]) throws -> Void) throws {
      _ = try file.seek(offset: 0, from: .start)
      var lines = try ExportLines(descriptor: file.rawValue, name: path) {
        StopSignal.received != nil
      }
      while let line = try lines.next() {
        try StopSignal.check()
        try body(line)
      }
      hash = lines.sha256
    }
    try readAll { line in
      if !isNamed { isNamed = replacement.applied(to: line) != nil }
    }
    guard isNamed else { return .clean }
    guard !read.contains(hash) else { return .read }
    var export = try ExportFile.begin(path)
    try readAll { line in
      try export.append((replacement.applied(to: line) ?? line) + [UInt8(ascii: "\n")])
    }
    try export.publish()
    return .rewritten
  }
}
