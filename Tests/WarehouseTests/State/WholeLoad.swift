internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import SQLiteFiles

@testable internal import StateStore

extension StateDatabase {
  /// The content of all used files, in an order that depends only on the content.
  ///
  /// Symbols are sorted; they may include texts that occur only in unused content. Files are sorted
  /// by hash, then kind; records by file and line; rows and renewal states by chain, file and
  /// record. Each report occurs once, with its smallest file and line; reports are sorted by
  /// evidence id.
  ///
  /// - Parameters:
  ///   - asOf: Leaves out later receipt records and price reports; `nil` leaves out none.
  ///   - extraTexts: Texts, such as a catalogue's, that are added to the symbols.
  /// - Returns: The whole input of a reconstruction.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged.
  func load(asOf: Instant? = nil, extraTexts: [String] = []) throws(RunFailure)
    -> Observations
  {
    let limit = asOf ?? Instant(milliseconds: .max)
    let texts = try texts(extraTexts)
    return try file.read { db in
      var set = texts.set
      let files = try LoadedFiles(db)
      set.files = files.files
      var chains = ChainLoader(files: files, symbols: texts.stored, asOf: limit)
      try chains.load(db, path: file.path, into: &set)
      let reports = try ReportLoader(db, files: files, symbols: texts.stored, asOf: limit)
      try reports.load(path: file.path, ids: .min ... .max, into: &set)
      return set
    }
  }
}
