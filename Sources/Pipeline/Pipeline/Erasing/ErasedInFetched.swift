internal import StateStore
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SignedTransactions
internal import SystemPackage

/// Finds erased customers in the exports that `paidline-fetch` wrote.
///
/// These exports contain customers only as `appAccountToken` under Apple's signature. Removing the
/// token would make the signature invalid. So the exports stay unchanged, and their lines are
/// listed.
package struct ErasedInFetched {
  let definition: PipelineDefinition
  let state: StateDatabase

  /// An export that contains erased customers.
  package struct Mention: Hashable {
    /// The path of the export.
    package var path: String
    /// The lines with erased customers, numbered from 1 in the decompressed text.
    package var lines: [Int]

    /// The path and the lines: `signed/history-2024-05-01-0001.ndjson.gz, line 3, 17`.
    ///
    /// If there are more than ten lines, the text has the first ten, and the number of lines that
    /// are left out: `and 5 more`.
    package var text: String {
      let shown = lines.prefix(10).map(String.init).joined(separator: ", ")
      let more = lines.count > 10 ? " and \(lines.count - 10) more" : ""
      return "\(OneLine.text(path)), \(lines.count == 1 ? "line" : "lines") \(shown)\(more)"
    }
  }

  /// The result of the search.
  package struct Account: Hashable {
    /// The exports that contain erased customers, sorted by path.
    package var mentions: [Mention] = []
    /// Exports that could not be read, with the reason, one line each.
    package var unreadable: [String] = []
  }

  /// Searches all exports of `paidline-fetch` for erased customers.
  func run() throws(RunFailure) -> Account {
    var account = Account()
    let paths = try exports()
    guard !paths.isEmpty, let erased = try state.erasedCustomerList() else { return account }
    let search = NameSearch(erased: erased, chains: try chainsOfErased())
    for path in paths {
      try StopSignal.check()
      do {
        let lines = try lines(of: path, search)
        if !lines.isEmpty { account.mentions.append(Mention(path: path, lines: lines)) }
      } catch let error as ExportError {
        account.unreadable.append("\(OneLine.text(path)): \(error)")
      } catch let error as RunFailure {
        throw error
      } catch {
        throw .system(error as? Errno ?? .ioError, "reading \(path)")
      }
    }
    return account
  }

  /// Lists the exports in the output folders of the pipeline's section `fetch`, sorted by path.
  private func exports() throws(RunFailure) -> [String] {
    var paths: Set<String> = []
    for output in [definition.fetching?.historyOutput, definition.fetching?.notificationsOutput] {
      guard let output else { continue }
      let folder = FilePaths.folder(of: output.pattern)
      let pattern = NamePattern(
        FilePaths.name(of: output.pattern).replacing("{run}", with: "*"))
      for name in try FolderListing.names(in: folder) where pattern.match(name) != nil {
        paths.insert(FilePaths.join(folder, name))
      }
    }
    return paths.sorted()
  }

  /// Finds the chains of erased customers in the records of state.db.
  private func chainsOfErased() throws(RunFailure) -> Set<String> {
    let loaded = try state.load(workers: 1) { (_: Int, set: Observations) throws(RunFailure) in
      Set(
        set.observations.compactMap { row in
          set.records[Int(row.record)].customer.flatMap {
            set.customers.isErased($0)
              ? row.originalTransactionID.number.text(in: set.symbols) : nil
          }
        })
    }
    return loaded.partitions.reduce(into: []) { $0.formUnion($1) }
  }

  private func lines(of path: String, _ search: NameSearch) throws -> [Int] {
    let file = try FileDescriptor.open(
      FilePath(path), .readOnly, options: [.noFollow, .closeOnExec])
    defer { try? file.close() }
    var lines = try ExportLines(descriptor: file.rawValue, name: path) {
      StopSignal.received != nil
    }
    var reader = SignedRecordReader(
      verifier: SignatureVerifier(), policy: SignaturePolicy(signatures: .trust))
    var found: [Int] = []
    var number = 0
    while let line = try lines.next() {
      try StopSignal.check()
      number += 1
      if search.isNamed(in: try? reader.read(line.span)) { found.append(number) }
    }
    return found
  }
}

/// Searches a record for erased customers.
private struct NameSearch {
  let erased: ErasedCustomers
  let chains: Set<String>

  func isNamed(in record: SignedRecord?) -> Bool {
    guard let record else { return false }
    if let customer = record.context.customerID, isErased(customer) { return true }
    return record.findings.contains { finding in
      switch finding.content {
      case .success(.transaction(let transaction)):
        names(transaction.accountToken, chain: transaction.originalTransactionID)
      case .success(.renewal(let renewal)):
        names(renewal.accountToken, chain: renewal.originalTransactionID)
      case .success(.notification), .failure: false
      }
    }
  }

  /// Returns true if a signed record has an account token and belongs to an erased customer.
  ///
  /// It belongs to an erased customer if the token is an erased id, or if its chain is one of the
  /// chains of an erased customer.
  private func names(_ token: String?, chain: String) -> Bool {
    guard let token else { return false }
    return chains.contains(chain) || isErased(token)
  }

  private func isErased(_ id: String) -> Bool { erased.pseudonym(of: Array(id.utf8)) != nil }
}
