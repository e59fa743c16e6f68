/// The format of a database file of Paidline's: its marks, its schema and its permissions.
package struct DatabaseFormat: Sendable {
  /// The name in messages: "state", "warehouse".
  package var name: String
  /// `PRAGMA application_id`, four letters as one number.
  package var applicationID: Int32
  /// `PRAGMA user_version`: the newest schema this program writes.
  package var version: Int32
  /// The SQL that creates the newest schema.
  package var schema: [UInt8]
  /// The way in which a file of an older version becomes one of this.
  package var upgrade = SchemaUpgrade.unknown
  /// Whether only the owner may read it, and freed pages are overwritten.
  package var isPrivate: Bool
  /// Bytes a page; large where rows are long.
  package var pageSize: Int

  /// Describes a format.
  package init(
    name: String, applicationID: Int32, version: Int32, schema: [UInt8],
    upgrade: SchemaUpgrade = .unknown, isPrivate: Bool, pageSize: Int
  ) {
    self.name = name
    self.applicationID = applicationID
    self.version = version
    self.schema = schema
    self.upgrade = upgrade
    self.isPrivate = isPrivate
    self.pageSize = pageSize
  }
}

/// The way in which a database of an older schema version is brought up to date.
package enum SchemaUpgrade: Sendable {
  /// Not at all: it is refused.
  case unknown
  /// By SQL that changes the existing tables: the step at position n leads from version n + 1 to
  /// the next.
  case steps([[UInt8]])
  /// By its next writer, who makes the schema and all content anew in one transaction.
  case replacement

  /// Whether there is a way.
  package var isKnown: Bool {
    switch self {
    case .unknown: false
    case .steps, .replacement: true
    }
  }
}

extension DatabaseFormat {
  /// A database whose schema grew by steps: the first creates version 1, each further one the next.
  ///
  /// A new file goes through the same steps as an old one, so that the two cannot differ.
  package static func stepwise(
    name: String, applicationID: Int32, steps: [[UInt8]], isPrivate: Bool, pageSize: Int
  ) -> DatabaseFormat {
    DatabaseFormat(
      name: name, applicationID: applicationID, version: Int32(steps.count),
      schema: Array(steps.joined(separator: "\n".utf8)), upgrade: .steps(Array(steps.dropFirst())),
      isPrivate: isPrivate, pageSize: pageSize)
  }
}

/// The purpose for which a database is opened.
package enum DatabaseAccess: Sendable {
  /// To read; the file must exist.
  case readOnly
  /// To read a file of any version that this program knows how to upgrade.
  case readOlder
  /// To run analysts' queries on the facts, by views with random access.
  case analyse
  /// To write; the file must exist.
  case readWrite
  /// To write; a missing file is created with its schema.
  case createIfMissing
  /// To fill a file that must not exist yet, without a journal, until it is published.
  case build
  /// To go on filling it after its pages were written.
  case goOn
  /// To read a file that this process has just built.
  case examine
}
