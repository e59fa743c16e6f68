package import Diagnostics
internal import ExportReading
internal import Pipeline
internal import PurchaseModel
internal import SystemPackage

/// Chains from a file, gzip or plain, or from standard input: a transaction id a line.
///
/// Any transaction id of a customer will do. Blank lines and lines that begin with `#` are skipped.
package struct ListedChains: ChainSource {
  /// The file; `-` for standard input.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func chains() throws(RunFailure) -> [WantedChain] {
    let descriptor: FileDescriptor
    do {
      descriptor =
        path == "-"
        ? .standardInput
        : try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    } catch {
      throw .system(error as? Errno ?? .ioError, "opening the list of chains \(path)")
    }
    defer { if path != "-" { try? descriptor.close() } }
    var chains: [WantedChain] = []
    var seen: Set<ChainNumber> = []
    do {
      var lines = try ExportLines(descriptor: descriptor.rawValue, name: path) {
        StopSignal.received != nil
      }
      var number = 0
      while let line = try lines.next() {
        number += 1
        let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        guard !text.isEmpty, !text.hasPrefix("#") else { continue }
        guard let chain = ChainNumber(text), text.utf8.allSatisfy({ $0 < 0x3A }) else {
          throw RunFailure(
            .dataRefused,
            "\(OneLine.text(path)):\(number): expected a transaction id, which is a number")
        }
        if seen.insert(chain).inserted { chains.append(WantedChain(number: chain)) }
      }
    } catch let failure as RunFailure {
      throw failure
    } catch ExportError.refused(let refusal, _, _) {
      throw RunFailure(.dataRefused, "\(OneLine.text(path)): \(refusal.description)")
    } catch {
      try StopSignal.check()
      throw RunFailure(.inputOutput, "reading the list of chains \(OneLine.text(path)) failed")
    }
    return chains
  }
}
