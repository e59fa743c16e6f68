internal import SharedTables
internal import StateStore
package import Diagnostics
package import ExportReading
internal import PurchaseModel
internal import SystemPackage
internal import TemporaryFiles

/// Replaces the ids of erased customers by pseudonyms in the files that `paidline-validate` wrote.
///
/// These files are validation.db, which contains Apple's responses, and the exports of these
/// responses.
package struct ErasedInExports {
  let definition: PipelineDefinition
  let state: StateDatabase

  /// The files that were changed, and the files that still contain the customers.
  package struct Account: Hashable {
    /// The number of changed responses in validation.db that are not exported yet.
    package var answers = 0
    /// The number of exports that were rewritten, because no run had read them yet.
    package var exports = 0
    /// The paths of exports that contain the customers, and that stay unchanged because a run has
    /// read them.
    package var named: [String] = []
    /// Exports that could not be read, with the reason, one line each.
    package var unreadable: [String] = []
  }

  /// Creates the replacement of the erased customers' ids by pseudonyms.
  ///
  /// Returns `nil` if no customer is erased. Must be called under the lock, because opening an
  /// older state.db migrates the database.
  package static func replacement(_ definition: PipelineDefinition) throws(RunFailure)
    -> CustomerReplacement?
  {
    guard PathStatus.exists(definition.statePath) else { return nil }
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    let erased = try state.erasedCustomerList()
    try state.close()
    return erased.map { erased in CustomerReplacement { erased.pseudonym(of: $0) } }
  }

  /// Replaces the customer ids in the responses, and in the exports that no run has read.
  ///
  /// After an interruption, a second call finishes the work. An export that a run has read stays
  /// unchanged, because a changed file would be a new input.
  ///
  /// - Throws: ``RunFailure`` if writing fails; with status 75 if another program is reading the
  ///   log of validation.db.
  func run() throws(RunFailure) -> Account {
    var account = Account()
    let path = definition.validationPath
    guard PathStatus.exists(path), let erased = try state.erasedCustomerList() else {
      return account
    }
    let replacement = CustomerReplacement { erased.pseudonym(of: $0) }
    let read = Set(try state.files().filter { $0.kind == .receipts }.map(\.sha256))
    let store = try AskedDatabase.open(path: path)
    account.answers = try store.replaceAnswers { replacement.applied(to: $0) }
    for export in try store.exports() {
      try StopSignal.check()
      let path = place(of: export.path)
      // The next run of paidline-validate writes this export again from the stored responses.
      if !export.isFinished { try NewFile.removeDraft(of: path) }
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

  /// Returns the path of an export in the pipeline's current output folder.
  ///
  /// If the export is not there, returns the path under which it was written.
  private func place(of path: String) -> String {
    guard let output = definition.validation?.output else { return path }
    let now = FilePaths.join(FilePaths.folder(of: output.pattern), FilePaths.name(of: path))
    return PathStatus.exists(now) ? now : path
  }

  /// The outcome of ``rewrite(_:_:unless:)`` for one export.
  private enum Outcome {
    /// The export contains none of the customers, and is unchanged.
    case clean
    case rewritten
    /// The export contains customers, but is unchanged because a run has read it.
    case read
  }

  /// Replaces the ids of erased customers in an export, unless a run has read the export.
  ///
  /// `read` contains the SHA-256 of each file that a run has read.
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
    var deflater = try GzipDeflater()
    let export = try NewFile(path, .export)
    try readAll { line in
      try export.write(
        deflater.append((replacement.applied(to: line) ?? line) + [UInt8(ascii: "\n")]))
    }
    try export.write(deflater.finish())
    try export.publish()
    return .rewritten
  }
}
