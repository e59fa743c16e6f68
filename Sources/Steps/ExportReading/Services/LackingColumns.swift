/// What cannot be known from an export without one of its service's columns.
public enum LackingColumn: String, Hashable, Sendable, CaseIterable {
  case sandbox, ownership, refunds, trials, introductory, offers, grossPrice

  fileprivate var fields: [ServiceField] {
    switch self {
    case .sandbox: [.isSandbox, .environment]
    case .ownership: [.ownership, .isFamily]
    case .refunds: [.refundedAt]
    case .trials: [.isTrial, .periodKind]
    case .introductory: [.isIntroductory, .periodKind]
    case .offers: [.offer]
    case .grossPrice: [.price]
    }
  }
}

extension ServiceExport {
  /// Finds the columns that a file lacks although the service's export has them.
  ///
  /// - Parameter paths: The file's columns, or the paths to the values of its records.
  /// - Returns: Each column with its name; empty for events within text, whose paths are not known.
  public func lacking(among paths: [String]) -> [(column: LackingColumn, name: String)] {
    let names = paths.map(ColumnName.folded)
    func has(_ field: ServiceField) -> Bool {
      self.paths(to: field).contains { path in
        let name = ColumnName.folded(path)
        return names.contains { $0.hasSuffix(name) }
      }
    }
    guard has(.transaction) else { return [] }
    return LackingColumn.allCases.compactMap { column in
      let fields = column.fields.filter(hasPath)
      // Only a price net of refunds needs another column.
      if column == .grossPrice, !has(.booked) { return nil }
      guard let first = fields.first, !fields.contains(where: has) else { return nil }
      return (column, pathText(of: first))
    }
  }

  private func paths(to field: ServiceField) -> [String] {
    keys.first { $0.field == field }?.paths.map(\.text) ?? []
  }
}
