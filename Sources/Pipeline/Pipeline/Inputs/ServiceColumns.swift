internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Recognizes the exports of hosted services by their columns.
enum ServiceColumns {
  /// Returns the file as a service's export; `nil` if it has the columns of no format.
  static func recognized(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let columns = Set(try KeySearch.columns(path).map { $0.lowercased() })
    guard
      let format = ServiceExport.all.first(where: { format in
        format.marks.allSatisfy { columns.contains($0.lowercased()) }
      })
    else { return nil }
    var found = RecognizedInput(
      path: path, kind: nil, settings: "format: \(format.name)",
      words: "\(format.service.title)'s export, format \(format.name)")
    found.exportFormat = format.name
    return found
  }
}
